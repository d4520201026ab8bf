import { describe, expect, it } from 'vitest';
import { cellsOf, textOf, type Place } from '../src/draft';
import { boxCells, boxOf, brushCells, flooded, line, painter, Stroke, type Brush } from '../src/edit/paint';

const brush: Brush = { what: 'wall', letter: 'T', shape: 'round', size: 1, operation: 'set', amount: 3 };
const land = (code: number) => ({ '.': 1, f: 2, '3': 3, '9': 9 })[String.fromCharCode(code)] ?? null;
const after = (part: Partial<Brush>, letter: string, erase = false) =>
  String.fromCharCode(painter({ ...brush, ...part }, erase, land)(letter.charCodeAt(0)));

describe('brushes', () => {
  it('cover as many cells across as their size', () => {
    for (let size = 1; size <= 12; size++) {
      for (const shape of ['round', 'square'] as const) {
        const cells = brushCells([20.5, 20.5], size, shape);
        const xs = cells.map(([x]) => x);
        expect(Math.max(...xs) - Math.min(...xs) + 1).toBe(size);
        expect(new Set(cells.map(String)).size).toBe(cells.length);
      }
    }
  });
  it('have the cell of the place in their middle', () => {
    expect(brushCells([3.2, 7.9], 1, 'round')).toEqual([[3, 7]]);
    expect(brushCells([3.2, 7.9], 3, 'round').map(String).sort()).toEqual(['2,7', '3,6', '3,7', '3,8', '4,7']);
    expect(brushCells([3.2, 7.9], 2, 'square')).toEqual([[2, 7], [3, 7], [2, 8], [3, 8]]);
  });
});

describe('lines', () => {
  it('have no gaps, whatever their direction', () => {
    for (let x = -6; x <= 6; x++) {
      for (let y = -6; y <= 6; y++) {
        const places = line([0.3, 0.7], [x + 0.5, y + 0.5]);
        expect(places).toHaveLength(Math.max(Math.abs(x), Math.abs(y)) + 1);
        expect(places.at(-1)!.map(Math.floor)).toEqual([x, y]);
        places.slice(1).forEach((place, k) => expect(Math.max(Math.abs(place[0] - places[k][0]), Math.abs(place[1] - places[k][1]))).toBeCloseTo(1));
      }
    }
  });
});

describe('rectangles', () => {
  const map = { width: 10, height: 8 };
  it('are cut at the border of the map', () => {
    expect(boxOf([3.5, 4.5], [1.2, 2.9], map)).toEqual({ x: 1, y: 2, width: 3, height: 3 });
    expect(boxOf([-5, -5], [1.5, 20], map)).toEqual({ x: 0, y: 0, width: 2, height: 8 });
    expect(boxOf([-5, 1], [-2, 3], map)).toBeNull();
  });
  it('can be a border alone', () => {
    expect(boxCells({ x: 0, y: 0, width: 4, height: 3 })).toHaveLength(12);
    expect(boxCells({ x: 0, y: 0, width: 4, height: 3 }, 1)).toHaveLength(10);
  });
});

describe('fill', () => {
  it('stops at other letters, corners among them', () => {
    const cells = cellsOf('..@.\n.@..\n@...');
    expect(flooded(cells, [0.5, 0.5]).map(String).sort()).toEqual(['0,0', '0,1', '1,0']);
    expect(flooded(cells, [9, 9])).toEqual([]);
  });
});

describe('operations', () => {
  it('set, add and multiply prices, from 1 to 9', () => {
    expect(after({ what: 'cost', operation: 'set', amount: 4 }, '.')).toBe('4');
    expect(after({ what: 'cost', operation: 'add', amount: 2 }, 'f')).toBe('4');
    expect(after({ what: 'cost', operation: 'multiply', amount: 2.5 }, '3')).toBe('8');
    expect(after({ what: 'cost', operation: 'add', amount: 5 }, '9')).toBe('9');
    expect(after({ what: 'cost', operation: 'add', amount: -8 }, '3')).toBe('.');
  });
  it('leave what nobody can enter, and what has that price already', () => {
    expect(after({ what: 'cost', amount: 4 }, '@')).toBe('@');
    expect(after({ what: 'cost', amount: 2 }, 'f')).toBe('f');
  });
  it('paint walls, terrain, ground', () => {
    expect(after({}, '.')).toBe('@');
    expect(after({ what: 'terrain', letter: 'W' }, '@')).toBe('W');
    expect(after({}, '@', true)).toBe('.');
  });
});

describe('a stroke', () => {
  it('touches a cell once, and never the map before it', () => {
    const before = cellsOf('....');
    const stroke = new Stroke(before, painter({ ...brush, what: 'cost', operation: 'add', amount: 1 }, false, land));
    const cells: Place[] = [[1, 0], [1, 0], [7, 0], [-1, 0]];
    stroke.touch(cells);
    stroke.touch(cells);
    expect(textOf(stroke.cells)).toBe('.2..');
    expect(textOf(before)).toBe('....');
    expect(stroke.changed).toBe(true);
  });
});
