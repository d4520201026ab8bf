import { expect, test } from 'vitest';
import { Run } from '../src/run';
import type { Message } from '../src/wire';

const array = (values: Float32Array | Int32Array | Uint16Array | Uint8Array, shape: number[]) => ({ values, shape });

/** One unit that goes along x. */
function messages(places: number[], times: number[]): [Message, Message] {
  const n = times.length;
  const head = { kind: 'run', job: 'a', units: 1, steps: times[n - 1], frames: n, groups: [''] };
  const run = {
    head,
    arrays: {
      times: array(Int32Array.from(times), [n]),
      radius: array(Float32Array.of(0.5), [1]),
      group: array(Uint16Array.of(0), [1]),
      route: array(Uint16Array.of(0), [1]),
      arrival: array(Int32Array.of(-1), [1]),
    },
  };
  const frames = {
    head: { kind: 'frames', job: 'a', first: 0 },
    arrays: {
      positions: array(Float32Array.from(places.flatMap((x) => [x, 1])), [n, 1, 2]),
      headings: array(new Float32Array(n), [n, 1]),
      state: array(new Uint8Array(n), [n, 1]),
    },
  };
  return [run, frames] as unknown as [Message, Message];
}

test('the greatest speed is known before anything was played', () => {
  const [head, frames] = messages([0, 1, 4, 4.5], [0, 10, 20, 25]);
  const run = new Run(head);
  run.take(frames);
  expect(run.fastest).toBeCloseTo(0.3);
  expect(run.at(22).speed[0]).toBeCloseTo(0.1);
  expect(run.fastest).toBeCloseTo(0.3);
});

test('a live run says speeds itself, also of a step back', () => {
  const [head, frames] = messages([0], [0]);
  head.head.live = true;
  const run = new Run(head);
  run.take(frames);
  expect(run.moment.speed[0]).toBe(0);
  const frame = (step: number, x: number, speed: number) =>
    ({
      head: { kind: 'frames', job: 'a', first: step },
      arrays: { ...frames.arrays, positions: array(Float32Array.of(x, 1), [1, 1, 2]), speed: array(Float32Array.of(speed), [1, 1]) },
    }) as unknown as Message;
  run.take(frame(20, 3, 0.2));
  run.take(frame(10, 1, 0.1));
  expect(run.moment.step).toBe(10);
  expect(run.moment.speed[0]).toBeCloseTo(0.1);
  expect(run.fastest).toBeCloseTo(0.2);
});
