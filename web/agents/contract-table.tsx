// A contract, field by field: what is declared in words, its exact text on demand, and what it means for recovery.
import type { ReactNode } from 'react';
import type { Contract } from '../api/types.ts';
import { Block, Plain } from '../parts/plain-text.tsx';
import { StackingRow, StackingTable } from '../parts/stacking-table.tsx';
import { useLength, useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { contractRows, type Row } from './contract-rows.ts';

const Declared = ({ row, name }: { readonly row: Row; readonly name: string }): ReactNode => {
  const { contract } = useLater();
  const { says, exact } = row;
  return (
    <>
      {says.map((clause) => (
        <p key={clause}>
          <Plain text={clause} />
        </p>
      ))}
      {exact === undefined ? null : (
        <details>
          <summary>{contract.exact}</summary>
          <Block
            text={typeof exact === 'string' ? exact : JSON.stringify(exact, null, 2)}
            label={`${name}: ${contract.exact}`}
          />
        </details>
      )}
    </>
  );
};

export const ContractTable = ({ contract }: { readonly contract: Contract }): ReactNode => {
  const words = useWords();
  const later = useLater();
  const length = useLength();
  const { tools } = later;
  return (
    <StackingTable
      className="stacking contract"
      columns={[tools.field, tools.value, tools.meaning]}
    >
      {contractRows(contract, { words, later, length }).map((row) => (
        <StackingRow key={row.field} name={tools.fields[row.field]}>
          <Declared row={row} name={tools.fields[row.field]} />
          {row.means.length === 0 ? null : (
            <div>
              {row.means.map((meaning) => (
                <p key={meaning}>{meaning}</p>
              ))}
            </div>
          )}
        </StackingRow>
      ))}
    </StackingTable>
  );
};
