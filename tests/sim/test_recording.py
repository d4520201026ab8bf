import numpy as np
import pytest
from crowd_scenes import open_scene

from anabasis.sim.recording import Recording
from anabasis.sim.units import Units


def digest(*places: float, **numbers: float) -> bytes:
    units = Units.of_scenario(open_scene([(5.0, 5.0), (7.0, 5.0)], (25.0, 5.0)), [0])
    recording = Recording()
    for place in places:
        units.position[1, 0] = place
        for name, number in numbers.items():
            getattr(units, name)[1] = number
        recording.chain(units)
    return recording.digest


@pytest.mark.parametrize("name", ["velocity", "state"])
def test_the_hash_of_a_step_covers_its_state(name: str) -> None:
    assert digest(7.0) == digest(7.0)
    assert digest(7.0) != digest(np.nextafter(7.0, 8.0))
    assert digest(7.0) != digest(7.0, **{name: 1})


def test_the_hash_of_a_step_covers_all_steps_before() -> None:
    assert digest(7.0, 7.5) != digest(7.1, 7.5)
