// The page's words in English: tool calls marked as faulty.
import { pluralIn } from '../../base/plural.ts';

const plural = pluralIn('en');

export const faults = {
  title: 'Calls marked as faulty',
  mark: 'Mark as faulty…',
  marked: 'Marked as faulty',
  marks: (count: number) => plural(count, { one: '# fault mark', other: '# fault marks' }),
  column: 'Faults',
  formOf: (tool: string) => `Mark ${tool} as faulty`,
  should: 'What should the agent have done?',
  kind: 'What was wrong?',
  noKind: 'Not said',
  kinds: {
    wrong_tool: 'Wrong tool',
    wrong_arguments: 'Wrong arguments',
    unneeded: 'Not needed',
    too_early: 'Too early: something had to come first',
    misread_result: 'Its result was misread',
    other: 'Something else',
  },
  hint: 'A note for whoever improves the agent. It changes nothing about this run.',
  save: 'Mark as faulty',
  edit: 'Reword',
  changed: 'reworded',
  takeBackAsk: 'Take back…',
  takeBack: 'Take back',
  erase: 'Take back and erase the note',
  takeBackHint: 'The mark disappears from all lists. Who marked the call and when is kept.',
  call: (step: number, call: number) => `Step ${step}, call ${call}`,
  agentHint: 'Where readers of its runs saw this agent go wrong, newest first.',
  empty: 'Nobody has marked a call of this agent.',
};
