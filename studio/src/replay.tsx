// The player alone: a page that plays from disk. The messages stand in the page.
import { render } from 'preact';
import { Player } from './player/Player';
import { show, written } from './player/load';
import { hear, PLAYING } from './playing';
import './styles.css';
import './panels/Caption.css';
import './player/player.css';

const root = document.getElementById('app')!;

async function begin(): Promise<void> {
  try {
    show(await written(document.getElementById('replay-data')!.textContent));
    render(<Player wide={window.innerWidth} />, root);
    hear(PLAYING, window);
  } catch (error) {
    root.textContent = `This replay can't be played: ${(error as Error).message}`;
  }
}

void begin();
