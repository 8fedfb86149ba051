// The scripted model: the next turn comes from the transcript alone.
import { describe, expect, it } from 'vitest';
import type { Script } from '../../../functions/adapters/model/script.ts';
import { loopScript, scriptedModel } from '../../../functions/adapters/model/scripted.ts';
import type { Transcript, TranscriptEntry } from '../../../functions/core/turn/transcript.ts';
import { ModelFailed, type ModelRequest } from '../../../functions/ports/model.ts';

const person = (text: string, opensRun?: boolean): TranscriptEntry => ({
  role: 'person',
  text,
  from: 'ada',
  ...(opensRun === undefined ? {} : { opensRun }),
});
const answer = (text: string): TranscriptEntry => ({ role: 'agent', text, calls: [] });
const step = (
  callId: string,
  result: string,
  status: 'success' | 'error' = 'success',
): TranscriptEntry[] => [
  { role: 'agent', text: '', calls: [{ callId, name: 'crm', arguments: {} }] },
  { role: 'results', results: [{ callId, name: 'crm', status, text: result }] },
];

const sales: Script = {
  scenes: [
    {
      when: { matches: 'create (?<who>\\w+) for (\\d+) euros' },
      turns: [
        {
          say: 'I create {{match.who}}.',
          call: [
            {
              name: 'create_customer',
              arguments: {
                name: '{{match.who}}',
                amount: '{{number:match.2}}',
                note: 'Asked: {{message}}',
                tags: ['{{match.who}}', '{{result.0.nothing}}'],
                missing: '{{result.0.id}}',
              },
            },
          ],
        },
        {
          call: [{ name: 'send_mail', arguments: { customer: '{{result.0.id}}' } }],
          onError: { say: 'That did not work: {{error}}' },
        },
        { say: 'Done: {{result.0.id}}, and {{result.last.sent}}.' },
      ],
    },
    { when: { says: ['break', 'passing'] }, turns: [{ say: 'Half an ans', fail: 'passing' }] },
    { when: { says: ['break', 'final'] }, turns: [{ fail: 'final' }] },
    { when: { says: ['garbage'] }, turns: [{ call: [{ name: 'crm', arguments: '{"name": ' }] }] },
    { when: { results: true }, turns: [{ say: 'I have results.' }] },
    { when: { step: 3 }, turns: [{ say: 'Third.' }] },
    { when: {}, turns: [{ say: 'Hello.' }] },
  ],
};

const ask = async (
  transcript: Transcript,
  script: Script = sales,
  over?: Partial<ModelRequest>,
) => {
  const pieces: string[] = [];
  const model = scriptedModel({ scripts: { sales: script }, newCallId: () => 'call-1' });
  const answered = await model.call({
    choice: { provider: 'scripted', script: 'sales' },
    options: {},
    prompt: 'You sell.',
    transcript,
    tools: [],
    onText: async (piece) => void pieces.push(piece),
    signal: new AbortController().signal,
    ...over,
  });
  return { ...answered, pieces };
};

describe('scripted model', () => {
  const opening = person('Please create Ada for 120 euros');

  it('plays the first scene that suits the message, with its captures in the arguments', async () => {
    const { text, calls, pieces } = await ask([opening]);
    expect(text).toBe('I create Ada.');
    expect(pieces.join('')).toBe(text);
    expect(calls).toEqual([
      {
        name: 'create_customer',
        arguments: {
          name: 'Ada',
          amount: 120,
          note: 'Asked: Please create Ada for 120 euros',
          tags: ['Ada'],
        },
      },
    ]);
  });

  it('takes the turn that the number of answered steps says, and reads earlier results', async () => {
    const first = [opening, ...step('a', 'confirmed: {"id":"c_7"}')];
    expect((await ask(first)).calls).toEqual([
      { name: 'send_mail', arguments: { customer: 'c_7' } },
    ]);
    const both = [...first, ...step('b', '{"sent":true}')];
    expect((await ask(both)).text).toBe('Done: c_7, and true.');
    expect((await ask([...both, ...step('c', '{}')])).text).toBe('That is all.');
  });

  it('says the same for the same transcript, whoever is asked', async () => {
    const transcript = [opening, ...step('a', '{"id":"c_7"}')];
    expect(await ask(transcript)).toEqual(await ask(structuredClone(transcript)));
  });

  it('turns to the error line when the last result was an error', async () => {
    const { text, calls } = await ask([opening, ...step('a', 'no such customer', 'error')]);
    expect(text).toBe('That did not work: no such customer');
    expect(calls).toEqual([]);
  });

  it('acknowledges a steering message once and goes on with the scene', async () => {
    const steered = [opening, ...step('a', '{"id":"c_7"}'), person('in French')];
    const { text, calls } = await ask(steered);
    expect(text).toBe('Noted: in French');
    expect(calls).toHaveLength(1);
    const next = await ask([...steered, ...step('b', '{"sent":1}')]);
    expect(next.text).toBe('Done: c_7, and 1.');
  });

  it('begins with the message a scene knows when several came at once, and notes the others', async () => {
    const { text } = await ask([person('hey'), opening, person('quick')]);
    expect(text).toBe('Noted: hey\nNoted: quick\n\nI create Ada.');
  });

  it('begins anew after a final answer', async () => {
    const before = [opening, ...step('a', '{"id":"c_7"}'), answer('Done.')];
    expect((await ask([...before, person('hi')])).text).toBe('Hello.');
    expect((await ask([...before, opening])).text).toBe('I create Ada.');
  });

  it('begins anew where the transcript says that a run opened, though the last one never answered', async () => {
    const stopped = [opening, ...step('a', '{"id":"c_7"}')];
    const facts: TranscriptEntry = { role: 'facts', text: 'One action is undetermined.' };
    expect((await ask([...stopped, facts, person('hi', true)])).text).toBe('Hello.');
  });

  it('chooses by results and by step', async () => {
    expect((await ask([person('x'), ...step('a', '{}')])).text).toBe('I have results.');
    const noResults = sales.scenes.filter((scene) => scene.when.results === undefined);
    const three = [...step('a', '1'), ...step('b', '2'), ...step('c', '3')];
    expect((await ask([person('x'), ...three], { scenes: noResults })).text).toBe('Third.');
  });

  it('fails as a provider would, after the text it was given', async () => {
    const pieces: string[] = [];
    const onText = async (piece: string) => void pieces.push(piece);
    const passing = ask([person('break it, passing')], sales, { onText });
    await expect(passing).rejects.toMatchObject({ name: 'ModelFailed', kind: 'passing' });
    expect(pieces.join('')).toBe('Half an ans');
    await expect(ask([person('break it, final')])).rejects.toMatchObject({ kind: 'final' });
  });

  it('can write arguments that are no JSON', async () => {
    expect((await ask([person('garbage')])).calls[0]?.arguments).toBe('{"name": ');
  });

  it('stops at once when the call is aborted', async () => {
    await expect(ask([opening], sales, { signal: AbortSignal.abort() })).rejects.toThrow(
      ModelFailed,
    );
  });

  it('names the scripts there are when one is unknown', async () => {
    const unknown = ask([opening], sales, { choice: { provider: 'scripted', script: 'toString' } });
    await expect(unknown).rejects.toThrow('There is no script "toString". Choose one of: sales.');
  });

  it('loops as often as the message says', async () => {
    const transcript: TranscriptEntry[] = [person('loop 300')];
    let calls = 0;
    for (let turn = await ask(transcript, loopScript('echo')); turn.calls.length > 0; ) {
      expect(turn.calls).toEqual([{ name: 'echo', arguments: { n: calls } }]);
      calls += 1;
      transcript.push(...step(`c${calls}`, 'ok'));
      turn = await ask(transcript, loopScript('echo'));
    }
    expect(calls).toBe(300);
  });
});
