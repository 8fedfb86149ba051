// In which language a text seems to be written, so that a screen reader speaks it with the right voice. Owns: saying nothing
// where it is not plain.

const commonWords = {
  en: /\b(?:the|and|is|of|to|it|that|was|for|with|you|this|not|are|be|on|have|from)\b/gi,
  fr: /\b(?:le|la|les|et|est|de|des|du|un|une|que|pour|dans|pas|vous|je|il|sur|avec|au)\b/gi,
} as const;

/** Enough to tell, and little enough to look at again with each piece of a text that is being written. */
const looked = 600;

/** A language tag; empty, which means "not known", where neither stands out. */
export const spokenIn = (text: string): 'en' | 'fr' | '' => {
  const start = text.slice(0, looked);
  const english = start.match(commonWords.en)?.length ?? 0;
  const french = start.match(commonWords.fr)?.length ?? 0;
  if (english > french * 2) return 'en';
  return french > english * 2 ? 'fr' : '';
};
