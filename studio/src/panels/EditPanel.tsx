// Edit mode: tools, what belongs to the one in the hand, and where maps come from.
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { said, cursor } from '../edit/state';
import { cellOf, holds } from '../edit/paint';
import { nameOf } from '../edit/terrain';
import { editing, hold, take, taken, TOOLS } from '../edit/toolbox';
import * as store from '../store';
import { AgentsForm } from './edit/AgentsForm';
import { BrushForm } from './edit/BrushForm';
import { DoorsForm } from './edit/DoorsForm';
import { Examples, NewMap, SaveForm, Workspace } from './edit/FilesForm';
import { FormationsForm } from './edit/FormationsForm';
import { GenerateForm } from './edit/GenerateForm';
import { GroupsForm } from './edit/GroupsForm';
import { ScenarioForm } from './edit/ScenarioForm';
import { ToolIcon } from './edit/ToolIcon';
import './EditPanel.css';

const GROUPS: [string, string][] = [
  ['map', 'map'],
  ['units', 'groups'],
  ['formations', 'formation'],
  ['agents', 'agents'],
  ['plan', 'one unit'],
];

/** The parts of the panel. */
const PARTS: Record<string, ComponentType> = { draw: Draw, map: Maps, files: Files, scenario: ScenarioForm };

/** Which of them is shown; it stays so while other modes are. */
const part = signal('draw');

function show(name: string): void {
  part.value = name;
  said.value = '';
}

export function EditPanel() {
  useEffect(() => hold(editing), []);
  const Part = PARTS[part.value];
  return (
    <div class="edit">
      <div class="head">
        <div class="choice" role="group" aria-label="Parts of Edit mode">
          {Object.keys(PARTS).map((name) => (
            <button key={name} aria-pressed={part.value === name} onClick={() => show(name)}>
              {name}
            </button>
          ))}
        </div>
        <button aria-label="undo" disabled={store.history.value.past.length === 0} title="undo (Ctrl Z)" onClick={store.undo}>
          <ToolIcon name="undo" />
        </button>
        <button aria-label="redo" disabled={store.history.value.future.length === 0} title="redo (Ctrl Shift Z)" onClick={store.redo}>
          <ToolIcon name="redo" />
        </button>
      </div>
      <Part />
    </div>
  );
}

function Draw() {
  return (
    <>
      <Tools />
      <Options />
    </>
  );
}

function Maps() {
  return (
    <>
      <h2>empty map</h2>
      <NewMap />
      <h2>made by a generator</h2>
      <GenerateForm />
    </>
  );
}

function Files() {
  return (
    <>
      <h2>examples</h2>
      <Examples />
      <h2>save</h2>
      <SaveForm />
      <h2>open</h2>
      <Workspace />
    </>
  );
}

function Tools() {
  return (
    <div class="tools" role="toolbar" aria-label="Tools">
      {GROUPS.map(([group, title]) => (
        <div key={group} class="line" role="group" aria-label={title}>
          <span class="title">{title}</span>
          {TOOLS.filter((tool) => tool.group === group).map((tool) => (
            <button
              key={tool.name}
              aria-label={tool.name}
              aria-keyshortcuts={tool.letter.toUpperCase()}
              title={`${tool.title} (${tool.letter.toUpperCase()})`}
              aria-pressed={taken.value === tool}
              onClick={() => take(tool)}
            >
              <ToolIcon name={tool.name} />
            </button>
          ))}
        </div>
      ))}
      <p class="hint">
        {taken.value.title} <kbd>{taken.value.letter.toUpperCase()}</kbd>
      </p>
      <Place />
    </div>
  );
}

/** What the tool points at, and what it did last. */
function Place() {
  const at = cursor.value && cellOf(cursor.value.place);
  const cells = store.shownCells.value;
  const here = at !== null && holds(cells, at) ? `x=${at[0]}, y=${at[1]}: ${nameOf(store.tables.value, cells.terrain[at[1] * cells.width + at[0]])}` : '';
  return (
    <>
      <p class="hint place" aria-live={cursor.value?.keys ? 'polite' : 'off'}>
        {here || '\u00a0'}
      </p>
      <p class="said" aria-live="polite">
        {said.value}
      </p>
    </>
  );
}

/** What belongs to the tool in the hand. */
function Options() {
  const { group, name } = taken.value;
  if (name === 'door') return <DoorsForm />;
  if (group === 'map') return name === 'pointer' ? null : <BrushForm sized={name === 'paint' || name === 'line' || name === 'rectangle'} />;
  if (group === 'units') return <GroupsForm counted={name === 'area' || name === 'disc'} />;
  if (group === 'formations') return <FormationsForm />;
  if (group === 'agents') return <AgentsForm />;
  return <EndsForm />;
}

function EndsForm() {
  const draft = store.draft.value;
  const { start, goal } = draft.ends;
  const text = (place: [number, number] | null) => (place === null ? 'not set' : `x=${place[0]}, y=${place[1]}`);
  return (
    <section aria-label="Ends">
      <dl>
        <div>
          <dt>start</dt>
          <dd>{text(start)}</dd>
        </div>
        <div>
          <dt>goal</dt>
          <dd>{text(goal)}</dd>
        </div>
      </dl>
      <div class="buttons">
        <button disabled={start === null || goal === null} onClick={() => store.edit({ ...draft, ends: { start: goal, goal: start } })}>
          Swap
        </button>
        <button disabled={start === null} onClick={() => store.edit({ ...draft, ends: { start: null, goal: null } })}>
          Remove
        </button>
      </div>
    </section>
  );
}
