// The words of the run view, in English.

const run = {
  title: (number: number) => `Run ${number}`,
  conversation: 'Conversation',
  state: 'State',
  started: 'Started',
  ended: 'Ended',
  duration: 'Duration',
  revision: 'Pinned revision',
  steps: 'Steps',
  stepsOf: (taken: number, limit: number) => `${taken} of at most ${limit}`,
  input: 'Tokens read',
  output: 'Tokens written',
  cached: 'of which from the cache',
  cost: 'Cost',
  noPrice: 'The agent has no price table.',
  executions: 'Executions',
  downloadJson: 'Download JSON',
  downloadMarkdown: 'Download Markdown',
  timeLine: 'Time line',
  asBars: 'Bars',
  asList: 'List',
  scale: (length: string) => `The whole line is ${length} long.`,
  model: 'Model',
  wait: 'Waiting',
  call: 'Call',
  bar: (what: string, start: string, length: string) =>
    `${what}: begins at ${start}, lasts ${length}`,
  empty: 'No step yet.',
  event: 'Event',
  when: 'When',
  offset: 'At',
};

const agents = { revision: (revision: number) => `Revision ${revision}` };

export const definitions = { run, agents };
