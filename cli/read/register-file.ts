// The file that `reprise register` takes: the thing as the API takes it; for a tool also the file of the trials, and the
// verification that their report grants. Owns: reading them as they are written (L6). What is wrong with the contents is the API's to say.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { parseWritten } from '../../functions/core/base/exact-json.ts';
import { type Place, UsageError } from '../kit/command.ts';

export type Body = Readonly<Record<string, unknown>>;
const Thing = z.record(z.string(), z.unknown());

/** Throws UsageError when it is no JSON object. */
export const objectIn = async (file: string, { say }: Place): Promise<Body> => {
  const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));
  try {
    return Thing.parse(parseWritten(await readFile(file, 'utf8')));
  } catch (cause) {
    const why = cause instanceof z.ZodError ? say('no object', 'pas un objet') : reasonOf(cause);
    throw new UsageError(
      say(
        `${file} cannot be read as a JSON object: ${why}.`,
        `${file} ne se lit pas comme un objet JSON : ${why}.`,
      ),
    );
  }
};

/** A tool; of a file for the trials, the tool that it tries. */
export const toolIn = async (file: string, place: Place): Promise<Body> => {
  const body = await objectIn(file, place);
  const inner = Thing.safeParse(body.tool);
  return body.name === undefined && inner.success ? inner.data : body;
};

const Report = z.looseObject({
  tools: z.array(z.looseObject({ tool: z.string(), verification: z.unknown().optional() })),
});

/** The tool with the verification of the trials' report in its contract. Throws UsageError when the report grants none. */
export const verifiedBy = async (tool: Body, file: string, place: Place): Promise<Body> => {
  const { say } = place;
  const report = Report.safeParse(await objectIn(file, place));
  if (!report.success)
    throw new UsageError(
      say(
        `${file} is no report of the trials: name the report.json that "reprise trials --out DIR" wrote.`,
        `${file} n’est pas un rapport d’essais : nommez le report.json qu’a écrit « reprise trials --out DOSSIER ».`,
      ),
    );
  const tried = report.data.tools.find((one) => one.tool === tool.name);
  const contract = Thing.safeParse(tool.contract);
  if (tried?.verification === undefined || !contract.success)
    throw new UsageError(
      say(
        `${file} grants "${String(tool.name)}" no verification: it is there only when all seven trials were made and none failed.`,
        `${file} n’accorde pas de vérification à « ${String(tool.name)} » : il y en a une seulement quand les sept essais ont eu lieu et qu’aucun n’a échoué.`,
      ),
    );
  return { ...tool, contract: { ...contract.data, verification: tried.verification } };
};
