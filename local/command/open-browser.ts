// Opens an address in the person's browser, where there is one. Owns: which program does that.
import { spawn } from 'node:child_process';

/** `failed` is called when no browser could be opened. */
export const openBrowser = (address: string, failed: () => void): void => {
  const command = { darwin: 'open', win32: 'explorer' }[String(process.platform)] ?? 'xdg-open';
  spawn(command, [address], { stdio: 'ignore', detached: true }).on('error', failed).unref();
};
