// Films: the run is played out of sight and recorded by the browser, in the time that the film lasts.
import { withDuration } from './webm';
import type { Shot } from './shot';

export interface Format {
  name: 'webm' | 'mp4';
  type: string;
}

const TYPES: Format[] = [
  { name: 'webm', type: 'video/webm;codecs=vp9' },
  { name: 'webm', type: 'video/webm;codecs=vp8' },
  { name: 'mp4', type: 'video/mp4;codecs=avc1.42E028' },
  { name: 'mp4', type: 'video/mp4;codecs=avc1.42E01E' },
  { name: 'mp4', type: 'video/mp4;codecs=vp9' },
];

/** What this browser records: one type for each kind of file. */
export function formats(): Format[] {
  const known = typeof MediaRecorder === 'undefined' ? [] : TYPES.filter(({ type }) => MediaRecorder.isTypeSupported(type));
  return known.filter(({ name }, k) => known.findIndex((one) => one.name === name) === k);
}

export interface Take {
  from: number;
  to: number;
  /** Steps a second. */
  speed: number;
  /** Pictures a second. */
  rate: number;
  format: Format;
}

const HELD = 700; // ms for which the last picture stands
const BITS = 0.12; // of a pixel of a picture

export const seconds = ({ from, to, speed }: Pick<Take, 'from' | 'to' | 'speed'>) => (to - from) / speed;

/** Record a take; `told` hears the share that is done. Throws what the signal was aborted with. */
export async function record(shot: Shot, take: Take, told: (share: number) => void, signal: AbortSignal): Promise<Blob> {
  const { width, height } = shot.sheet;
  shot.draw(take.from);
  const stream = shot.sheet.captureStream(0);
  const track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
  const recorder = new MediaRecorder(stream, { mimeType: take.format.type, videoBitsPerSecond: Math.max(1_000_000, width * height * take.rate * BITS) });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const over = new Promise<void>((resolve, reject) => {
    recorder.onstop = () => resolve();
    recorder.onerror = (event) => reject(new Error(`the browser could not record: ${(event as ErrorEvent).message || 'no reason given'}`));
  });
  recorder.start(1000);
  const began = performance.now();
  const whole = 1000 * seconds(take);
  try {
    for (let passed = 0; passed < whole + HELD; passed = performance.now() - began) {
      signal.throwIfAborted();
      const next = performance.now() + 1000 / take.rate;
      shot.draw(Math.min(take.from + (passed / 1000) * take.speed, take.to));
      track.requestFrame();
      told(Math.min(passed / whole, 1));
      await new Promise((resolve) => setTimeout(resolve, Math.max(next - performance.now(), 1)));
    }
  } finally {
    if (recorder.state !== 'inactive') recorder.stop();
    track.stop();
  }
  const lasted = performance.now() - began;
  await over;
  const film = new Blob(parts, { type: take.format.type.split(';')[0] });
  return take.format.name === 'webm' ? withDuration(film, lasted) : film;
}
