// The page of the studio.
import { render } from 'preact';
import { listen } from './keys';
import { App } from './panels/App';
import { begun } from './store';
import './styles.css';

render(<App />, document.getElementById('app')!);
listen();
void begun();
