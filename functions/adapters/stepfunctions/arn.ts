// ARNs of executions. Owns: how one is made of its machine's.
// Tested in test/functions/api/routes/traces.test.ts.

/** arn:…:stateMachine:name[:alias] → arn:…:execution:name:execution */
export const executionArn = (machineArn: string, name: string): string => {
  const [machine] = machineArn.split(':stateMachine:').slice(1);
  const prefix = machineArn.slice(0, machineArn.indexOf(':stateMachine:'));
  return `${prefix}:execution:${machine?.split(':')[0] ?? ''}:${name}`;
};
