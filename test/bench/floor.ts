// The floor: the least that does the same work without the product. A bare loop over the same model stub, the same POST to
// the demo CRM, and two writes to SQLite per step, each on the disk before the loop goes on.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { modelFrom } from '../../functions/adapters/model/model.ts';
import { JsonObject } from '../../functions/core/base/json.ts';
import type { TranscriptEntry } from '../../functions/core/turn/transcript.ts';
import { demoTools } from '../../local/demo/registrations.ts';
import { benchScripts } from './rig.ts';

export interface Floor {
  /** Runs one loop of `steps` steps. */
  run(message: string, steps: number): Promise<void>;
  close(): Promise<void>;
}

const opportunity = z.object({
  customer_id: z.string(),
  title: z.string(),
  amount_cents: z.number(),
});

const openSteps = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-floor-'));
  const database = new DatabaseSync(join(folder, 'floor.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  database.exec('CREATE TABLE entries (id INTEGER PRIMARY KEY, body TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO entries (body) VALUES (?)');
  return {
    write: (body: unknown): void => void insert.run(JSON.stringify(body)),
    close: async (): Promise<void> => {
      database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const noSecret = {
  read: () => Promise.reject(new Error('The scripted model needs no secret.')),
};

export const openFloor = async (demoUrl: string, secret: string): Promise<Floor> => {
  const steps = await openSteps();
  let calls = 0;
  const model = modelFrom({
    secrets: noSecret,
    scripts: benchScripts,
    newCallId: () => {
      calls += 1;
      return `call_${calls}`;
    },
  });
  const tools = demoTools(demoUrl).map(({ name, description, arguments: schema }) => ({
    name,
    description,
    arguments: JsonObject.parse(schema),
  }));
  const post = async (args: JsonObject, reference: string): Promise<string> => {
    const response = await fetch(`${demoUrl}/crm/opportunities`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'idempotency-key': reference,
      },
      body: JSON.stringify({ ...opportunity.parse(args), reference }),
    });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`The CRM answered ${response.status}: ${text}`);
    return text;
  };
  return {
    run: async (message, count) => {
      const transcript: TranscriptEntry[] = [
        { role: 'person', text: message, from: 'Ana', opensRun: true },
      ];
      for (let step = 1; step <= count; step += 1) {
        const answer = await model.call({
          choice: { provider: 'scripted', script: 'loop' },
          options: {},
          prompt: 'A benchmark.',
          transcript,
          tools,
          onText: async () => undefined,
          signal: AbortSignal.timeout(60_000),
        });
        const [call] = answer.calls;
        if (call === undefined) throw new Error('The script has ended before the loop.');
        const args = opportunity.parse(call.arguments);
        const callId = `ref_${crypto.randomUUID()}`;
        steps.write({ step, call: { callId, ...call } });
        const text = await post(args, callId);
        steps.write({ step, callId, text });
        transcript.push(
          {
            role: 'agent',
            text: answer.text,
            calls: [{ callId, name: call.name, arguments: args }],
          },
          { role: 'results', results: [{ callId, name: call.name, status: 'success', text }] },
        );
      }
    },
    close: steps.close,
  };
};
