// The page of the studio.
import { render } from 'preact';
import { acceptDrops } from './edit/files';
import { equip } from './edit/toolbox';
import { listen } from './keys';
import { App } from './panels/App';
import { begun } from './remembering';
import './styles.css';

render(<App />, document.getElementById('app')!);
listen();
equip();
acceptDrops();
void begun();
