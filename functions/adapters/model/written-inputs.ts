// The arguments of a model's calls as it wrote them. The AI SDK reads them with `JSON.parse`, which changes numbers.
// Owns: keeping the text beside what the SDK makes of it, for every provider. Laws: L6.
// Tested in test/scenario/effects/exact-values.test.ts.
import type { LanguageModelMiddleware } from 'ai';

export interface WrittenInputs {
  readonly middleware: LanguageModelMiddleware;
  /** The text of a call that the stream has told; calls of one id come in their order. */
  take(toolCallId: string): string | undefined;
}

export const writtenInputs = (): WrittenInputs => {
  const texts: { readonly id: string; readonly text: string }[] = [];
  return {
    middleware: {
      specificationVersion: 'v4',
      wrapStream: async ({ doStream }) => {
        const result = await doStream();
        type Part = (typeof result)['stream'] extends ReadableStream<infer Of> ? Of : never;
        const kept = new TransformStream<Part, Part>({
          transform: (part, controller) => {
            if (part.type === 'tool-call') texts.push({ id: part.toolCallId, text: part.input });
            controller.enqueue(part);
          },
        });
        return { ...result, stream: result.stream.pipeThrough(kept) };
      },
    },
    take: (toolCallId) => {
      const index = texts.findIndex(({ id }) => id === toolCallId);
      return index === -1 ? undefined : texts.splice(index, 1)[0]?.text;
    },
  };
};
