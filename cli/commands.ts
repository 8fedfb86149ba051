// All commands, in the order in which the help shows them. Owns: that list.
import { agentsCommand } from './agents.ts';
import { answerCommands } from './answering.ts';
import { auditCommand } from './audit.ts';
import type { Command } from './command.ts';
import { crashCommand } from './crash.ts';
import { deskCommands } from './desk.ts';
import { devCommand } from './dev.ts';
import { doctorCommand } from './doctor.ts';
import { faultCommands } from './faults.ts';
import { loginCommands } from './login.ts';
import { openapiCommand } from './openapi.ts';
import { permissionCommands, takeBackCommand } from './permissions.ts';
import { registerCommand } from './register.ts';
import { requestCommands } from './requests.ts';
import { routineCommands } from './routines.ts';
import { runCommands } from './runs.ts';
import { secretCommands } from './secrets.ts';
import { sendCommand } from './send.ts';
import { toolCommands } from './tools.ts';
import { trialsCommand } from './trials/command.ts';

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
  crashCommand,
  openapiCommand,
];
