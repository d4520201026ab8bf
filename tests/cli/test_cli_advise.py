"""The command `advise`."""


def test_the_method_comes_with_its_reason(call, call_json, small_map):
    code, data = call_json("advise", small_map, "--queries", 20)
    assert code == 0
    assert data["method"] == data["candidates"][0]["name"]
    assert data["family"] == "search"
    assert "20 queries take" in data["reason"]
    text = call("advise", small_map, "--queries", 20).stdout
    assert "corners for 100 free cells" in text
    assert "all in all s" in text


def test_a_group_gets_a_method_for_groups(call_json, small_map):
    assert call_json("advise", small_map, "--units", 8)[1]["family"] == "group"
