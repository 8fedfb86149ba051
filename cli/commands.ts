// All commands, in the order in which the help shows them. Owns: that list.
import { agentsCommand } from './commands/agents.ts';
import { answerCommands } from './commands/answering.ts';
import { auditCommand } from './commands/audit.ts';
import { crashCommand } from './commands/crash.ts';
import { deskCommands } from './commands/desk.ts';
import { devCommand } from './commands/dev.ts';
import { doctorCommand } from './commands/doctor.ts';
import { faultCommands } from './commands/faults.ts';
import { loginCommands } from './commands/login.ts';
import { openapiCommand } from './commands/openapi.ts';
import { permissionCommands, takeBackCommand } from './commands/permissions.ts';
import { registerCommand } from './commands/register.ts';
import { requestCommands } from './commands/requests.ts';
import { routineCommands } from './commands/routines.ts';
import { runCommands } from './commands/runs.ts';
import { secretCommands } from './commands/secrets.ts';
import { sendCommand } from './commands/send.ts';
import { toolCommands } from './commands/tools.ts';
import type { Command } from './kit/command.ts';
import { trialsCommand } from './trials/command.ts';
import { trialsInitCommand } from './trials/init.ts';

export const commands: readonly Command[] = [
  devCommand,
  doctorCommand,
  ...loginCommands,
  registerCommand,
  ...secretCommands,
  sendCommand,
  ...runCommands,
  ...faultCommands,
  ...requestCommands,
  ...answerCommands,
  takeBackCommand,
  ...deskCommands,
  agentsCommand,
  ...toolCommands,
  ...permissionCommands,
  auditCommand,
  ...routineCommands,
  trialsCommand,
  trialsInitCommand,
  crashCommand,
  openapiCommand,
];
