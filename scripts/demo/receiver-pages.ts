import { z } from "zod";
import { escapeHtml } from "../../src/server/modules/channels/letter/escape-html.ts";
import type { Arrived, ArrivedCall, ArrivedMail } from "./demo-receiver.ts";

const STYLES = `
:root { color-scheme: light dark; font: 15px/1.6 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.4rem 0.6rem; border-bottom: 1px solid #8884; text-align: left; }
td:nth-child(3) { overflow-wrap: anywhere; }
pre { padding: 1rem; background: #8881; overflow-wrap: anywhere; white-space: pre-wrap; }
iframe { width: 100%; height: 44rem; border: 1px solid #8884; background: #fff; }`;
const Titled = z.object({ data: z.object({ title: z.string() }) });
const REFRESH = '<meta http-equiv="refresh" content="5">';

export function listPage(arrived: readonly Arrived[]): string {
  const rows = arrived.map(
    (message) => `<tr>
<td>${timeOf(message)}</td>
<td>${message.kind === "mail" ? "邮件" : "Webhook"}</td>
<td><a href="/messages/${message.number}">${escapeHtml(titleOf(message))}</a></td>
<td>${escapeHtml(recipientOf(message))}</td>
</tr>`,
  );
  const table = `<table>
<tr><th>时间</th><th>渠道</th><th>标题</th><th>收件人</th></tr>
${rows.join("\n")}
</table>`;
  const content = rows.length === 0 ? "<p>还没有收到消息。</p>" : table;
  return page("演示收到的消息", `<p>每 5 秒更新，新的在前。</p>\n${content}`, REFRESH);
}

export function messagePage(message: Arrived): string {
  const content = message.kind === "mail" ? mailContent(message) : callContent(message);
  return page(titleOf(message), `<p><a href="/">返回列表</a></p>\n${content}`);
}

/** As a mail program shows it; the page puts it into a frame in which nothing runs. */
export function letterPage({ mail }: ArrivedMail): string {
  return mail.html;
}

function mailContent({ number, mail }: ArrivedMail): string {
  const headers = [...mail.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  return `<iframe sandbox src="/messages/${number}/letter" title="邮件"></iframe>
<h2>纯文本</h2>
<pre>${escapeHtml(mail.text)}</pre>
<h2>邮件头</h2>
<pre>${escapeHtml(headers)}</pre>`;
}

function callContent({ id, body, isVerified }: ArrivedCall): string {
  return `<p>${isVerified ? "✓ 签名正确" : "✗ 签名不正确"}，webhook-id：${escapeHtml(id)}</p>
<pre>${escapeHtml(indented(body))}</pre>`;
}

function titleOf(message: Arrived): string {
  if (message.kind === "mail") return message.mail.headers.get("subject") ?? "";
  return Titled.safeParse(parseJson(message.body)).data?.data.title ?? "（没有标题）";
}

function recipientOf(message: Arrived): string {
  return message.kind === "mail" ? message.mail.recipients.join("、") : "—";
}

function timeOf({ at }: Arrived): string {
  return at.toLocaleTimeString("zh-CN", { timeZone: "Asia/Shanghai", hour12: false });
}

/** What is no JSON is shown as it came. */
function indented(body: string): string {
  const value = parseJson(body);
  return value === undefined ? body : JSON.stringify(value, null, 2);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function page(title: string, content: string, head = ""): string {
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<title>${escapeHtml(title)}</title>
<style>${STYLES}
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${content}
</body>
</html>
`;
}
