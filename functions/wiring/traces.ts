// Wires the addresses of traces: a template and the machines' ARNs from the environment.
import { tracesFrom } from '../adapters/stepfunctions/trace.ts';
import { environmentNames } from '../manifest.ts';
import type { Traces } from '../ports/traces.ts';
import { required, type Substrate } from './substrate.ts';

export const tracesOver = (substrate: Substrate): Traces =>
  tracesFrom({
    template: substrate.environment[environmentNames.traceAddress],
    runMachineArn: required(substrate, environmentNames.runMachineArn),
    recoverMachineArn: required(substrate, environmentNames.recoverMachineArn),
  });
