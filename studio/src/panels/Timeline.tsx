// Play, pause, step, scrub: one timeline for all panes.
import * as clock from '../clock';
import { Icon } from './Icon';

export function Timeline() {
  const { time, end, final, playing, speed, loop, bookmarks, rate } = clock;
  const last = Math.max(final.value, end.value, 1);
  const now = Math.round(time.value);
  return (
    <footer class="timeline" aria-label="Timeline">
      <button aria-label="to the beginning" title="Home" onClick={() => clock.seek(0)}>
        <Icon name="first" />
      </button>
      <button aria-label="one step back" title="," onClick={() => clock.step(-1)}>
        <Icon name="back" />
      </button>
      <button class="play" aria-label={playing.value ? 'pause' : 'play'} title="Space" onClick={clock.toggle}>
        <Icon name={playing.value ? 'pause' : 'play'} />
      </button>
      <button aria-label="one step on" title="." onClick={() => clock.step(1)}>
        <Icon name="on" />
      </button>
      <button aria-label="to the end" title="End" onClick={() => clock.seek(end.value)}>
        <Icon name="last" />
      </button>
      <div class="track">
        <input
          type="range"
          aria-label="step"
          min={0}
          max={last}
          step={1}
          value={now}
          onInput={(event) => clock.seek(Number(event.currentTarget.value))}
        />
        <div class="come" style={{ width: `${(100 * end.value) / last}%` }} />
        {bookmarks.value.map((mark) => (
          <button key={mark} class="mark" style={{ left: `${(100 * mark) / last}%` }} aria-label={`bookmark at step ${mark}`} onClick={() => clock.seek(mark)} />
        ))}
      </div>
      <output aria-label="time">
        {now} / {Math.round(last)}
      </output>
      <button aria-label="slower" title="[" onClick={clock.slower}>
        −
      </button>
      <output aria-label="speed">{speed.value >= 10 ? Math.round(speed.value) : speed.value.toFixed(1)} steps/s</output>
      <button aria-label="faster" title="]" onClick={clock.faster}>
        +
      </button>
      <button aria-label="loop" title="L" aria-pressed={loop.value} onClick={() => (loop.value = !loop.value)}>
        <Icon name="loop" />
      </button>
      <button aria-label="bookmark" title="B" onClick={clock.bookmark}>
        <Icon name="flag" />
      </button>
      {playing.value && <output class="rate">{Math.round(rate.value)} fps</output>}
    </footer>
  );
}
