// The player in a notebook: a module for anywidget. Data are the messages, each with its length before it.
import { render as put } from 'preact';
import * as clock from './clock';
import { Player } from './player/Player';
import { show } from './player/load';
import { hear, PLAYING } from './playing';
import './styles.css';
import './panels/Caption.css';
import './player/player.css';
import * as view from './view';
import { unpackAll } from './wire';

const STYLES = '@@styles@@'; // put in by the build

interface Model {
  get(name: 'data'): DataView | null;
  on(event: 'change:data', listen: () => void): void;
  off(event: 'change:data', listen: () => void): void;
}

/** Put a player into `el`; returns how to end it. Its styles stay inside, and keys are heard where it has the focus. */
export function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const host = document.createElement('div');
  host.dataset.lmSuppressShortcuts = 'true'; // JupyterLab's own keys
  const shadow = host.attachShadow({ mode: 'open' });
  const sheet = document.createElement('style');
  sheet.textContent = STYLES;
  const root = document.createElement('div');
  shadow.append(sheet, root);
  el.append(host);
  if (document.body.dataset.jpThemeLight !== undefined) view.theme.value = document.body.dataset.jpThemeLight === 'true' ? 'light' : 'dark';
  const read = () => {
    const data = model.get('data');
    if (data === null || data.byteLength === 0) return;
    show(unpackAll(new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice().buffer));
  };
  read();
  put(<Player wide={el.clientWidth} inside />, root);
  hear(PLAYING, root);
  model.on('change:data', read);
  return () => {
    model.off('change:data', read);
    clock.pause();
    put(null, root);
    host.remove();
  };
}
