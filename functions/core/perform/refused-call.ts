// The reply to a refusal: a tool asked, a person declined, and the tool was told. Owns: what such a reply proves.
// Laws: L1 (that the tool was asked to do nothing is no evidence that it had done nothing).
// Tested in test/core/perform/reply.test.ts.
import type { Contract } from '../registry/contract.ts';
import type { Reply, ReplyPattern } from '../registry/reply-pattern.ts';
import { type Reading, readReply } from './reply.ts';

/** What every answer of a tool has, whatever it did: a pattern of no more than that cannot tell a deed from a polite word. */
const ofEveryAnswer: ReadonlySet<string> = new Set(['isError', 'content', 'resultType']);

const namesWhatWasDone = ({ fields = [] }: ReplyPattern): boolean =>
  fields.some(({ path }) => !ofEveryAnswer.has(path.split('.', 1)[0] ?? ''));

/**
 * A plain answer to a refusal says that it was heard. What the contract declares beyond that counts as ever: an object that was made, a
 * disproof. Else the contract says whether the tool acts before it has asked, or nothing does.
 */
export const readAfterRefusal = (contract: Contract, reply: Reply): Reading => {
  const success = contract.success.filter((entry) => namesWhatWasDone(entry.reply));
  const reading = readReply({ ...contract, preset: 'none', success }, reply);
  if (reading.says !== 'accepts' && reading.says !== 'nothing') return reading;
  return contract.asksBeforeActing === true
    ? {
        says: 'disproves',
        because:
          'The tool was told that a person declined. The contract says that it does nothing before what it asks is accepted.',
      }
    : {
        says: 'nothing',
        because:
          'The tool was told that a person declined. Whether it had done something before it asked is not known.',
      };
};
