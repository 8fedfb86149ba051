// All commands, in the order in which the help shows them. Owns: that list.
import type { Command } from './command.ts';
import { trialsCommand } from './trials/command.ts';

export const commands: readonly Command[] = [trialsCommand];
