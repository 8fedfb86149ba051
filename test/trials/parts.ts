// A report of the trials as the tests read it. Owns: finding a part, and the verdicts by trial.
import type { ToolReport } from '../../cli/trials/report/report.ts';

export const verdictsOf = ({ trials }: ToolReport) =>
  Object.fromEntries(trials.map(({ id, verdict }) => [id, verdict]));
export const partOf = (tool: ToolReport, id: string) =>
  [...tool.checks, ...tool.trials.flatMap(({ parts }) => parts)].find((part) => part.id === id);

/** Throws when the command reported no tool. */
export const mustBe = (tool: ToolReport | undefined): ToolReport => {
  if (tool === undefined) throw new Error('The command reported no tool.');
  return tool;
};
