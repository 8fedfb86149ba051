// REPRISE_MODEL, and what a model call costs.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelChoiceFrom } from '../../../functions/adapters/model/choice.ts';
import { addAmounts, amountOf } from '../../../functions/core/registry/usage.ts';

describe('REPRISE_MODEL', () => {
  it.each([
    [undefined, { provider: 'scripted', script: 'demo' }],
    ['  ', { provider: 'scripted', script: 'demo' }],
    ['scripted', { provider: 'scripted', script: 'demo' }],
    ['scripted:loop', { provider: 'scripted', script: 'loop' }],
    [
      'bedrock:eu.anthropic.some-model-v1:0',
      { provider: 'bedrock', model: 'eu.anthropic.some-model-v1:0' },
    ],
    [
      'anthropic:some-model',
      { provider: 'anthropic', model: 'some-model', secret: 'ANTHROPIC_API_KEY' },
    ],
    [
      'anthropic:some-model#my/key',
      { provider: 'anthropic', model: 'some-model', secret: 'my/key' },
    ],
    [
      'openai-compatible:qwen3:8b@http://127.0.0.1:11434/v1',
      { provider: 'openai-compatible', model: 'qwen3:8b', baseUrl: 'http://127.0.0.1:11434/v1' },
    ],
    [
      'openai-compatible:@cf/meta/x@https://api.example.com/v1#vendor-key',
      {
        provider: 'openai-compatible',
        model: '@cf/meta/x',
        baseUrl: 'https://api.example.com/v1',
        secret: 'vendor-key',
      },
    ],
  ])('%s', (text, expected) => {
    expect(modelChoiceFrom(text)).toEqual(expected);
  });

  it.each([
    ['gpt', 'there is no provider "gpt"'],
    ['bedrock', 'names no model'],
    ['bedrock:', 'names no model'],
    ['anthropic:m#', 'is missing'],
    ['openai-compatible:model', 'needs its server’s base URL'],
    ['openai-compatible:model@ftp://x', 'needs its server’s base URL'],
  ])('refuses %s and says what may stand there', (text, why) => {
    expect(() => modelChoiceFrom(text)).toThrow(why);
    expect(() => modelChoiceFrom(text)).toThrow('openai-compatible:<model>@<base URL>');
  });
});

describe('money', () => {
  const price = { currency: 'EUR', inputPerMillion: '3', outputPerMillion: '15.5' };

  it.each([
    [{ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 }, price, '0'],
    [{ inputTokens: 1, outputTokens: 0, cachedInputTokens: 0 }, price, '0.000003'],
    [{ inputTokens: 1_000_000, outputTokens: 2_000_000, cachedInputTokens: 0 }, price, '34'],
    [{ inputTokens: 10, outputTokens: 1, cachedInputTokens: 10 }, price, '0.0000455'],
    [
      { inputTokens: 100, outputTokens: 0, cachedInputTokens: 60 },
      { ...price, cachedInputPerMillion: '0.30' },
      '0.000138',
    ],
    [{ inputTokens: 5, outputTokens: 0, cachedInputTokens: 9 }, price, '0.000015'],
  ])('%o costs, exactly', (tokens, by, expected) => {
    expect(amountOf(tokens, by)).toBe(expected);
  });

  it('adds without rounding where floating point would not', () => {
    expect(addAmounts('0.1', '0.2')).toBe('0.3');
    expect(addAmounts('9007199254740993', '0.000001')).toBe('9007199254740993.000001');
    expect(() => addAmounts('1e3', '0')).toThrow(TypeError);
  });

  it('costs the same whether tokens are counted together or apart', () => {
    const count = fc.nat({ max: 10_000_000 });
    const decimal = fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `${a}.${b}`);
    fc.assert(
      fc.property(count, count, decimal, decimal, (a, b, inputPerMillion, outputPerMillion) => {
        const by = { currency: 'EUR', inputPerMillion, outputPerMillion };
        const of = (inputTokens: number) =>
          amountOf({ inputTokens, outputTokens: inputTokens, cachedInputTokens: 0 }, by);
        expect(addAmounts(of(a), of(b))).toBe(of(a + b));
      }),
    );
  });
});
