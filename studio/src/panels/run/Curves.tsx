// How errors fall while randomly placed formations are optimised, a curve for each way to make one error of two.
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Experiment } from '../../act/fitness';
import { css, ground, GROUPS, shaded } from '../../stage/palette';
import * as store from '../../store';

const WIDTH = 268; // pixels, what the panel has
const HEIGHT = 190;
const LEAST = 1e-6; // what is less is drawn there: a logarithm has no zero

export function Curves({ found }: { found: Experiment }) {
  return (
    <>
      <Curve title="median error of angles, degrees²" ways={found.ways} values={found.angle} />
      <Curve title="median error of distances, cells²" ways={found.ways} values={found.distance} />
    </>
  );
}

function Curve({ title, ways, values }: { title: string; ways: string[]; values: ArrayLike<number> }) {
  const box = useRef<HTMLDivElement>(null);
  const theme = store.theme.value;
  useEffect(() => {
    const { ink } = ground(theme);
    const length = values.length / ways.length;
    const rows = ways.map((_, k) => Array.from({ length }, (_, i) => Math.max(values[k * length + i], LEAST)));
    const axis = { stroke: css(ink), grid: { stroke: css([...ink.slice(0, 3), 40]), width: 1 }, font: '11px system-ui, sans-serif' };
    const plot = new uPlot(
      {
        width: WIDTH,
        height: HEIGHT,
        scales: { x: { time: false }, y: { distr: 3 } },
        axes: [
          { ...axis, size: 26 },
          { ...axis, size: 46, values: (_, values) => values.map((value) => (value === null ? '' : short(value))) },
        ],
        legend: { live: false },
        cursor: { show: false },
        series: [
          { label: 'iteration' },
          ...ways.map((label, k) => ({ label, stroke: css(shaded(GROUPS[k], theme)), width: 1.5, points: { show: false } })),
        ],
      },
      [Array.from({ length }, (_, i) => i), ...rows],
      box.current!,
    );
    return () => plot.destroy();
  }, [values, theme]);
  return (
    <figure class="curve">
      <figcaption>{title}</figcaption>
      <div ref={box} role="img" aria-label={`${title}, by iteration; in the end ${lastOf(ways, values)}`} />
    </figure>
  );
}

/** A power of ten that fits beside the axis. */
function short(value: number): string {
  return value >= 0.01 && value < 1e4 ? `${Number(value.toPrecision(3))}` : value.toExponential(0);
}

/** The ends of all curves in words. */
function lastOf(ways: string[], values: ArrayLike<number>): string {
  const length = values.length / ways.length;
  return ways.map((name, k) => `${name} ${values[(k + 1) * length - 1].toPrecision(3)}`).join(', ');
}
