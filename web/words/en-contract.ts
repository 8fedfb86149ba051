// A contract's clauses in words, its verification and the trials behind it, in English.
import { pluralIn } from './plural.ts';

const plural = pluralIn('en');

export const contract = {
  exact: 'Exact text',
  nothing: 'Nothing declared.',
  httpSuccess: 'By the preset http: a reply with the status 200, or 201 and a body.',
  httpDisproof:
    'By the preset http: a reply with the status 400, 401, 403, 404, 405, 410, 413, 415 or 422.',
  and: ' and ',
  or: ' or ',
  reply: (conditions: string) => `A reply where ${conditions}.`,
  status: (codes: string) => `the status is ${codes}`,
  body: 'there is a body',
  noBody: 'there is no body',
  is: (path: string, value: string) => `${path} is ${value}`,
  oneOf: (path: string, values: string) => `${path} is ${values}`,
  there: (path: string) => `${path} is there`,
  missing: (path: string) => `${path} is missing`,
  referenceAt: (path: string) => `The object’s reference is in ${path}.`,
  places: {
    header: (name: string) => `in the header ${name}`,
    query: (name: string) => `in the address, as the parameter ${name}`,
    path: (name: string) => `in the path of the address, as ${name}`,
    body: (path: string) => `in the body, at ${path}`,
  },
  noKey: 'No key and no reference travels.',
  keyAt: (where: string) => `The action’s id travels ${where}, as key.`,
  referenceTravels: (where: string) => `The action’s id travels ${where}, as reference.`,
  scope: (scope: string) => `It is honoured within: ${scope}.`,
  retention: (length: string, margin: string) =>
    `It is kept for ${length}, of which ${margin} are not relied on.`,
  compares: 'Other parameters under the same key are refused.',
  comparesNot: 'Parameters under the same key are not compared.',
  stillRunning: (reply: string) => `While the first is still running: ${reply}`,
  noLookUp: 'No look-up.',
  lookUpWith: (tool: string) => `Asked with the tool ${tool}.`,
  hits: (path: string) => `Hits are in ${path}.`,
  found: (reply: string) => `Found: ${reply}`,
  absent: (reply: string) => `Absent: ${reply}`,
  compared: (pairs: string) => `Compared with a hit: ${pairs}.`,
  comparedNot: 'No argument is compared with a hit.',
  settles: (length: string) => `A new object is found at the latest after ${length}.`,
  covers: (account: string, environment: string) => `Account ${account}, ${environment}.`,
  archived: 'Archived objects too.',
  archivedNot: 'No archived objects.',
  reads: (rights: string) => `With the right to read: ${rights}.`,
  period: (period: string) => `Reaches back: ${period}.`,
  polled: (tool: string, every: string, until: string) =>
    `Asked again with ${tool} every ${every}, for ${until} at most.`,
  waited: (until: string) => `Waited for during ${until} at most.`,
  notNow: (length: string) => `Tried again after ${length} at the soonest.`,
  likeArguments: (names: string) => `The arguments ${names}.`,
  nobody: 'Nobody is named.',
  expires: (length: string, role: string) =>
    `Unanswered it expires after ${length}. It needs the role ${role}.`,
  whenUndetermined: { wait: 'wait', tell: 'tell the agent' },
  by: 'By',
  at: 'When',
  how: 'How',
  report: 'Report',
  trials: 'Last trial report',
  noTrials:
    'The verification carries no trial report. reprise trials writes one that can be put into the contract.',
  verdicts: { pass: 'pass', fail: 'fail', undecidable: 'not decidable with this contract' },
  parts: (count: number) => plural(count, { one: '# part', other: '# parts' }),
  expected: 'Expected',
  observed: 'Observed',
  because: 'Why',
  exhibit: 'Exhibit',
  reference: 'Reference',
  objects: (count: number) =>
    plural(count, { one: '# object at the destination', other: '# objects at the destination' }),
  countedWith: (tool: string) => `counted with ${tool}`,
  calls: (sent: number, arrived: number) =>
    `${plural(sent, { one: '# call', other: '# calls' })} sent, ${arrived} given to the destination`,
};
