// What the agents of these tests do: talk, ask for an approval, ask a question, ask for a skill, lose a reply.
import type { Scripts } from '../../../rig/rig.ts';
import { callCreate, callMail, callRefund } from '../../../rig/tools.ts';
import { callAsk, callSkill } from '../../../scenario/people/parts.ts';

const told = { say: 'So: {{result.last}}', onError: { say: 'So: {{error}}' } };
const calling = (...call: readonly { readonly name: string; readonly arguments: object }[]) => ({
  scenes: [
    {
      when: {},
      turns: [
        {
          say: 'I look into it.',
          call: call.map((one) => ({ ...one, arguments: { ...one.arguments } })),
        },
        told,
      ],
    },
  ],
});

export const scripts = {
  talk: { scenes: [{ when: {}, turns: [{ say: 'You said: {{message}}' }] }] },
  refund: calling(callRefund('pay_1001', 300)),
  refundAndCreate: calling(callRefund('pay_1002', 100), callCreate('{{message}}')),
  ask: calling(callAsk('Which colour?')),
  skill: calling(callSkill('filing')),
  mail: calling(callMail('{{message}}')),
  create: calling(callCreate('{{message}}')),
  unknown: calling({ name: 'nothing', arguments: {} }),
  fails: { scenes: [{ when: {}, turns: [{ say: 'Half a', fail: 'final' }] }] },
} as const satisfies Scripts;
