// The ARNs of what the twin holds, made and read in one place. Owns: their shapes.

export interface Place {
  readonly region: string;
  readonly account: string;
}

export const defaultPlace: Place = { region: 'us-east-1', account: '000000000000' };

export const functionArn = ({ region, account }: Place, name: string): string =>
  `arn:aws:lambda:${region}:${account}:function:${name}`;

export const stateMachineArn = ({ region, account }: Place, name: string): string =>
  `arn:aws:states:${region}:${account}:stateMachine:${name}`;

export const busArn = ({ region, account }: Place, name: string): string =>
  `arn:aws:events:${region}:${account}:event-bus/${name}`;

export const topicArn = ({ region, account }: Place, name: string): string =>
  `arn:aws:sns:${region}:${account}:${name}`;

export const scheduleArn = ({ region, account }: Place, group: string, name: string): string =>
  `arn:aws:scheduler:${region}:${account}:schedule/${group}/${name}`;

export const roleArn = ({ account }: Place): string => `arn:aws:iam::${account}:role/reprise-twin`;

/** Stands in `GetFunction`-like names: `name`, `account:function:name` or an ARN, each with an optional qualifier. */
export const functionNameOf = (
  reference: string,
  place: Place,
): { readonly name: string; readonly foreign: boolean } => {
  const arn = /^arn:aws[a-z-]*:lambda:([^:]+):([^:]+):function:([^:]+)(?::.+)?$/.exec(reference);
  if (arn !== null)
    return {
      name: arn[3] ?? '',
      foreign: arn[1] !== place.region || arn[2] !== place.account,
    };
  const partial = /^(\d{12}):function:([^:]+)(?::.+)?$/.exec(reference);
  if (partial !== null) return { name: partial[2] ?? '', foreign: partial[1] !== place.account };
  return { name: reference.split(':')[0] ?? '', foreign: false };
};
