// The chart of arrivals. A click goes to that step; the line is where the clock stands.
import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import * as clock from '../clock';
import type { Pane } from '../pane';
import { css } from '../stage/palette';
import * as view from '../view';
import { colourOf } from './colours';
import { curves } from './curves';

const HEIGHT = 220; // pixels
const WHOLE = [1, 2, 5].flatMap((digit) => [1, 10, 100, 1000, 10_000, 100_000].map((power) => digit * power)).sort((a, b) => a - b);

export function Curves({ panes }: { panes: Pane[] }) {
  const box = useRef<HTMLDivElement>(null);
  const names = panes.map((pane) => `${pane.id} ${pane.request.value.method}`).join();
  const theme = view.theme.value;
  useEffect(() => chart(box.current!, panes), [names, theme]);
  return <div class="curves" ref={box} role="img" aria-label="How many units have arrived, over the steps; the table below has the numbers" />;
}

function chart(box: HTMLDivElement, panes: Pane[]): () => void {
  const look = getComputedStyle(box);
  const ink = look.getPropertyValue('--quiet');
  const grid = { stroke: look.getPropertyValue('--line'), width: 1 };
  const axis = { stroke: ink, grid, ticks: grid, font: '11px system-ui, sans-serif' };
  const stepped = uPlot.paths.stepped!({ align: 1 });
  const data = () => {
    const { steps, arrived } = curves(panes.map((pane) => (pane.come.value, pane.run.value)));
    return [steps, ...arrived] as uPlot.AlignedData;
  };
  const line = document.createElement('div');
  line.className = 'now';
  const place = (plot: uPlot) => void (line.style.left = `${plot.valToPos(clock.time.value, 'x')}px`);
  const plot = new uPlot(
    {
      width: box.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      hooks: { draw: [place] }, // only then are its scales known
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: { x: { time: false }, y: { range: (_, __, most) => [0, Math.max(most, 1)] } },
      axes: [
        { ...axis, label: 'step', labelSize: 18, size: 28, labelFont: axis.font, incrs: WHOLE },
        { ...axis, label: 'arrived', labelSize: 18, size: 38, labelFont: axis.font, incrs: WHOLE },
      ],
      series: [{}, ...panes.map((pane, k) => ({ stroke: css(colourOf(k, view.theme.value)), width: 2, dash: k >= 8 ? [4, 3] : undefined, label: pane.request.value.method, paths: stepped, points: { show: false } }))],
    },
    data(),
    box,
  );
  plot.over.append(line);
  plot.over.addEventListener('click', () => clock.seek(plot.posToVal(plot.cursor.left ?? 0, 'x')));
  const ends = [
    effect(() => plot.setData(data())),
    effect(() => place(plot)),
  ];
  const sizes = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }));
  sizes.observe(box);
  return () => {
    for (const end of ends) end();
    sizes.disconnect();
    plot.destroy();
  };
}
