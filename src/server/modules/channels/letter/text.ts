import type { HostLine, Letter } from "./letter.ts";

/**
 * The letter for readers without HTML. It says everything that the other form says. A name ends its
 * line: whatever writing direction it has, it cannot reorder what follows.
 */
export function renderText(letter: Letter): string {
  const paragraphs = [
    letter.greeting,
    letter.kind === null ? letter.title : `【${letter.kind}】${letter.title}`,
    letter.message,
    ...letter.hosts.map((host, index) => describeHost(letter, host, index)),
    letter.more,
    letter.button && `${letter.button.label}：\n${letter.button.url}`,
    `-- \n${footer(letter)}`,
  ];
  return `${paragraphs.filter((paragraph) => paragraph !== null && paragraph !== "").join("\n\n")}\n`;
}

function describeHost(
  { columns, hasEnds }: Letter,
  { name, end, timeLeft, userNames }: HostLine,
  index: number,
): string {
  const lines = [`${index + 1}. ${name}`];
  if (hasEnds) {
    lines.push(`   ${columns.end}：${end}`);
    lines.push(`   ${columns.timeLeft}：${timeLeft}`);
  }
  if (userNames.length > 0) lines.push(`   ${columns.users}：${userNames.join("、")}`);
  return lines.join("\n");
}

function footer({ reason, switchOff, accountUrl }: Letter): string {
  const lines = [reason, switchOff];
  if (accountUrl !== null) lines.push(accountUrl);
  return lines.join("\n");
}
