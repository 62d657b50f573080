import { describe, expect, it } from "vitest";
import { createConsoleClient, errorCode } from "../../src/sdk/index.ts";
import type { ConsoleClient, Download } from "../../src/sdk/public-types.ts";
import { useApp } from "../harness/app.ts";
import { readCsv } from "../harness/csv.ts";
import { insertHosts } from "../harness/data.ts";
import { freePort } from "../harness/ports.ts";

const app = useApp();

const client = (): ConsoleClient => createConsoleClient({ url: app.url, token: app.root.token });

async function textOf({ content }: Download): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** A file that the network cannot hold while nobody reads it. */
async function insertLongList(): Promise<void> {
  await insertHosts(
    app,
    Array.from({ length: 2_500 }, (_, n) => ({ name: `host-${n}` })),
  );
  // What compresses badly: the rest of the file is still to be read when its beginning arrives.
  await app.database.query(
    `update hosts set os_name = (
       select string_agg(piece, '')
       from (select md5(random()::text || hosts.id) as piece from generate_series(1, 250)) pieces
     )`,
  );
}

describe("client.download", () => {
  it("answers the name and the rows that the filter names, and tells of the bytes", async () => {
    await insertHosts(app, [{ name: "甲", region: "hk" }, { name: "乙" }]);
    const heard: number[] = [];

    const download = await client().download(
      "hosts",
      { region: "hk", status: undefined },
      { onProgress: (bytes) => heard.push(bytes) },
    );
    const text = await textOf(download);

    expect(download.fileName).toMatch(/^主机-\d{4}-\d{2}-\d{2}\.csv$/);
    expect(readCsv(text)).toMatchObject([{ 主机: "甲" }]);
    expect(heard.at(-1)).toBe(Buffer.byteLength(text));
  });

  it("fails with the code and the sentence of the server", async () => {
    const admin = await app.account("admin");
    const own = createConsoleClient({ url: app.url, token: admin.token });

    const refused = own.download("hosts", { assigned: true });

    await expect(refused).rejects.toMatchObject({ message: "不支持的参数 assigned" });
    expect(await refused.catch(errorCode)).toBe("INVALID_INPUT");
  });

  it("fails when nobody answers, without a code", async () => {
    const lost = createConsoleClient({ url: `http://127.0.0.1:${await freePort()}`, token: "t" });

    expect(await lost.download("hosts").catch(errorCode)).toBeNull();
  });

  it("throws while the file is read when the transfer breaks off", async () => {
    await insertLongList();

    const download = await client().download("hosts");
    await app.database.query("delete from sessions");

    await expect(textOf(download)).rejects.toThrow("the file is not whole");
  });

  it("throws while the file is read when it is ended", async () => {
    await insertLongList();
    const stopped = new AbortController();

    const download = await client().download("hosts", {}, { signal: stopped.signal });
    stopped.abort();

    await expect(textOf(download)).rejects.toThrow(/abort/i);
  });
});
