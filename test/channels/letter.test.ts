import { describe, expect, it } from "vitest";
import { composeLetter } from "../../src/server/modules/channels/letter/compose-letter.ts";
import { NoticeType } from "../../src/shared/notices.ts";
import { buildMessage, buildMessageHost, MESSAGE_TIME } from "../harness/message.ts";

const ZHANG = { name: "张三", address: "zhangsan@example.com" };

/** What is read of HTML, without its styles. */
function readable(html: string): string {
  return html
    .replace(/<style>[\s\S]*?<\/style>/, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}

describe("a letter", () => {
  it("says in both forms which hosts end when, and who has them", () => {
    const hosts = [
      buildMessageHost({ userNames: ["李四", "王五"] }),
      buildMessageHost({ name: "db-02", expireTime: MESSAGE_TIME - 200_000, daysLeft: -2 }),
    ];

    const { text, html } = composeLetter(buildMessage({ hosts, moreHosts: 12 }), ZHANG);

    for (const form of [text, readable(html)]) {
      const said = [
        "张三，您好",
        "2 台主机即将到期",
        "请在到期前申请续费。",
        "web-01",
        "2027-01-18",
      ];
      said.push("3 天", "db-02", "2027-01-13", "已过期 2 天", "李四", "王五", "另有 12 台");
      said.push("在控制台中查看", ZHANG.address, "个人设置");
      for (const words of said) expect.soft(form).toContain(words);
    }
    for (const form of [text, html]) {
      expect.soft(form).toContain("https://console.example.com/hosts?assignedExpiring=7");
      expect.soft(form).toContain("https://console.example.com/account");
    }
  });

  it("dates ends as they are in Shanghai", () => {
    // 16:00 UTC is midnight there.
    const midnight = Date.UTC(2027, 0, 17, 16) / 1000;
    const hosts = [
      buildMessageHost({ expireTime: midnight - 1 }),
      buildMessageHost({ expireTime: midnight, daysLeft: 0 }),
    ];

    const { text } = composeLetter(buildMessage({ hosts }), ZHANG);

    expect(text.match(/到期日期：\S+/g)).toEqual(["到期日期：2027-01-17", "到期日期：2027-01-18"]);
    expect(text).toContain("剩余天数：过期不到 1 天");
  });

  it("shows markup of every value as text", () => {
    const evil = `<img src=x onerror="alert('1')">&`;
    const message = buildMessage({
      title: evil,
      message: evil,
      hosts: [buildMessageHost({ name: evil, userNames: [evil] })],
      url: `https://console.example.com/hosts?search="><script>`,
    });

    const { html, text } = composeLetter(message, { name: evil, address: `"${evil}"@example.com` });

    expect(html).not.toMatch(/<img|<script/);
    const escaped = "&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;";
    // Title twice, greeting, message, host, user and address.
    expect(html.split(escaped)).toHaveLength(1 + 7);
    expect(text).toContain(evil);
  });

  it("keeps line breaks and writing directions of a name to the name", () => {
    const name = "web\r\n已付款 https://evil.example\u2028\u202egnp.exe";

    const { text, html } = composeLetter(
      buildMessage({ hosts: [buildMessageHost({ name, userNames: [name] })] }),
      ZHANG,
    );

    const line = "web 已付款 https://evil.example \u202egnp.exe";
    expect(text).toContain(`1. ${line}\n`);
    expect(html.match(/<bdi>[^<]*<\/bdi>/g)).toEqual(Array(2).fill(`<bdi>${line}</bdi>`));
  });

  it.each(NoticeType.options)("has no empty part when it tells of no host: %s", (type) => {
    const { text, html } = composeLetter(
      buildMessage({ type, hosts: [], url: null, title: "标题" }),
      ZHANG,
    );

    expect(text).not.toMatch(/undefined|null|\n{3}/);
    expect(html).not.toMatch(/undefined|null|<th|<a /);
  });

  it("calls the provider's end by its name", () => {
    const { html } = composeLetter(buildMessage({ type: "host.expiring" }), ZHANG);

    expect(readable(html)).toContain("主机 云端到期 剩余天数");
  });
});
