import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { readCsv } from "../harness/csv.ts";
import { insertHosts } from "../harness/data.ts";

const SPREADSHEET = "/usr/bin/soffice";
/** Comma, quotation mark, UTF-8, from the first line; formulas in the file are not calculated. */
const READ = "CSV:44,34,76,1";
/** The same, with cells as they are shown. */
const WRITE = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false";

const app = useApp();
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "host-console-spreadsheet-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe.skipIf(!existsSync(SPREADSHEET))("LibreOffice", () => {
  it("opens an export with Chinese, line ends and quotes, and calculates nothing", async () => {
    const names = ["网站-生产", '第一行\n第"二"行', "=1+1", "-2+3", "🐫,云"];
    await insertHosts(
      app,
      names.map((name, index) => ({ name, ucloud_id: `uhost-${index}`, cpu: 8 })),
    );

    const rows = await openAndSave(await exportedHosts());

    const byId = rows.toSorted((a, b) => ((a["资源 ID"] ?? "") < (b["资源 ID"] ?? "") ? -1 : 1));
    expect(byId.map((row) => row.主机)).toEqual([
      "网站-生产",
      '第一行\n第"二"行',
      "'=1+1",
      "'-2+3",
      "🐫,云",
    ]);
    expect(byId.map((row) => row["CPU 核数"])).toEqual(["8", "8", "8", "8", "8"]);
  });
});

/** The bytes: a text would lack the byte order mark. */
async function exportedHosts(): Promise<Buffer> {
  const response = await fetch(`${app.url}/api/hosts/export`, {
    headers: { authorization: `Bearer ${app.root.token}` },
  });
  return Buffer.from(await response.arrayBuffer());
}

/** What the spreadsheet has read, saved as a file of its own. */
async function openAndSave(exported: Buffer) {
  const opened = join(directory, "hosts.csv");
  const saved = join(directory, "saved");
  await writeFile(opened, exported);

  const profile = `-env:UserInstallation=file://${join(directory, "profile")}`;
  const conversion = [`--infilter=${READ}`, "--convert-to", WRITE, "--outdir", saved, opened];
  await promisify(execFile)(SPREADSHEET, [profile, "--headless", ...conversion]);

  return readCsv(await readFile(join(saved, "hosts.csv"), "utf8"));
}
