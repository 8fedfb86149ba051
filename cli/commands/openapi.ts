// `reprise openapi`: the API's own description, of the twin or a deployed API; without either, that of this version.
// Owns: that command.
import { type Command, exitCodes, type Place } from '../kit/command.ts';
import { NobodyThere } from '../session/place.ts';

const served = async (place: Place): Promise<string | undefined> => {
  try {
    const api = await place.client();
    const answer = await api.raw('GET', '/v1/openapi.json');
    return answer.status === 200 ? answer.text : undefined;
  } catch (error) {
    if (error instanceof NobodyThere) return undefined;
    throw error;
  }
};

/** Heavy, and needed only when nobody serves it. */
const own = async (): Promise<string> => {
  const { apiRoutes } = await import('../../functions/api/app.ts');
  const { openApiDocument } = await import('../../functions/api/http/openapi.ts');
  return JSON.stringify(openApiDocument(apiRoutes));
};

export const openapiCommand: Command = {
  name: 'openapi',
  en: 'Prints the API’s OpenAPI document',
  fr: 'Affiche le document OpenAPI de l’API',
  run: async (_given, place) => {
    place.out(JSON.stringify(JSON.parse((await served(place)) ?? (await own())), undefined, 2));
    return exitCodes.ok;
  },
};
