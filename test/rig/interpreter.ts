// A Step Functions interpreter in a process of its own, with no Reprise around it: AWS's protocol in front; it invokes
// functions and calls DynamoDB at the address it is told. Owns: its HTTP server.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { realClock } from '../../local/base/clock.ts';
import { remoteJsonCall } from '../../local/base/endpoints.ts';
import { defaultPlace } from '../../local/base/names.ts';
import { forwardTo } from '../../local/lambda/forward.ts';
import { openStepFunctionsTwin } from '../../local/stepfunctions/twin.ts';

const [dataDir = '', reprise = ''] = process.argv.slice(2);
const { region } = defaultPlace;
const dynamo = remoteJsonCall(reprise, region, 'dynamodb', 'DynamoDB_20120810');
const invoke = forwardTo(reprise, defaultPlace);
const capital = (action: string): string => action.charAt(0).toUpperCase() + action.slice(1);

const interpreter = openStepFunctionsTwin({
  file: join(dataDir, 'interpreter.sqlite'),
  clock: realClock(),
  ...defaultPlace,
  invokeLambda: async ({ functionName, payload }) => {
    const answer = await invoke(functionName, JSON.stringify(payload ?? {}));
    const { statusCode, requestId, functionError } = answer;
    return {
      statusCode,
      requestId,
      executedVersion: '$LATEST',
      payload: JSON.parse(answer.payload),
      ...(functionError === undefined ? {} : { functionError }),
    };
  },
  callDynamoDb: (action, parameters) => dynamo(capital(action), parameters),
});
interpreter.start();

const server = createServer(async (request, response) => {
  const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
  const { status, body } = await interpreter.handle(operation, JSON.parse(await text(request)));
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify(body));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
