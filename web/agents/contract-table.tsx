// A contract, field by field: what is declared in words, its exact text on demand, and what it means for recovery.
import type { ReactNode } from 'react';
import type { Contract } from '../api/types.ts';
import { Block, Plain } from '../parts/plain-text.tsx';
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
    <div className="scroll-x">
      <table className="contract">
        <thead>
          <tr>
            <th scope="col">{tools.field}</th>
            <th scope="col">{tools.value}</th>
            <th scope="col">{tools.meaning}</th>
          </tr>
        </thead>
        <tbody>
          {contractRows(contract, { words, later, length }).map((row) => (
            <tr key={row.field}>
              <th scope="row">{tools.fields[row.field]}</th>
              <td>
                <Declared row={row} name={tools.fields[row.field]} />
              </td>
              <td>
                {row.means.map((meaning) => (
                  <p key={meaning}>{meaning}</p>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
