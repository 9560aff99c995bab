/** A text on one line, also where a deployment indents its bodies. */
export function toOneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]\s*/g, " ").trimEnd();
}
