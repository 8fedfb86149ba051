// Whether a call needs a person's approval, by its contract. Owns: reading the policy's condition.
// Tested in test/core/base/condition.test.ts.
import { evaluateCondition } from '../base/condition.ts';
import type { JsonObject } from '../base/json.ts';
import type { Contract } from './contract.ts';

/** True when it asks. Irreversible calls always ask; a condition that fails to evaluate asks too. */
export const asksApproval = async (contract: Contract, args: JsonObject): Promise<boolean> => {
  if (contract.effect === 'irreversible') return true;
  const { approval } = contract.policy;
  switch (approval.when) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'condition':
      try {
        return (await evaluateCondition(approval.expression, args)) !== false;
      } catch {
        return true;
      }
  }
};
