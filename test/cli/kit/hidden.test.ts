// A line that is typed and not shown. Laws: L18.
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { hiddenLine } from '../../../cli/kit/hidden.ts';

const open = () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const typed = hiddenLine('Value: ', input, output);
  const shown = () => String(output.read() ?? '');
  return { input, typed, shown };
};

test('what is typed is given back, corrected, and never shown', async () => {
  const { input, typed, shown } = open();
  input.write('hunterx\u007f2\r');
  expect(await typed).toBe('hunter2');
  expect(shown().trim()).toBe('Value:');
});

test('Ctrl+C ends it with nothing set', async () => {
  const { input, typed, shown } = open();
  input.write('hunter2\u0003');
  await expect(typed).rejects.toThrow('nothing was set');
  expect(shown()).not.toContain('hunter2');
});
