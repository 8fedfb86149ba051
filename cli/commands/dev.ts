// `reprise dev`: the twin with its demo, as `npm start` starts it. Owns: that hand-over.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Command, exitCodes } from '../kit/command.ts';

export const devCommand: Command = {
  name: 'dev',
  en: 'Starts everything on this machine: page, API, state machines, demo',
  fr: 'Lance tout sur cette machine : page, API, machines à états, démo',
  options: {
    port: {
      type: 'string',
      value: 'N',
      en: 'Port (default 4400 or the next free one)',
      fr: 'Port (défaut 4400 ou le suivant libre)',
    },
    fresh: {
      type: 'boolean',
      en: 'Forgets what the folder holds',
      fr: 'Oublie ce que le dossier contient',
    },
    'no-demo': { type: 'boolean', en: 'Without the demo', fr: 'Sans la démo' },
    open: { type: 'boolean', en: 'Opens a browser', fr: 'Ouvre un navigateur' },
  },
  run: async (given, place) => {
    const port = given.text('port');
    const args = [
      '--data',
      place.dataDir,
      '--lang',
      place.language,
      ...(port === undefined ? [] : ['--port', port]),
      ...['fresh', 'no-demo', 'open'].filter((name) => given.flag(name)).map((name) => `--${name}`),
    ];
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '..', '..', 'local', 'main.ts'), ...args],
      { stdio: 'inherit' },
    );
    // Ctrl+C reaches the child by itself; this process only must outlive it.
    process.on('SIGINT', () => undefined);
    for (const signal of ['SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => child.kill(signal));
    const [code] = await once(child, 'exit');
    if (code === exitCodes.usage) return exitCodes.usage;
    return code === 0 ? exitCodes.ok : exitCodes.failed;
  },
};
