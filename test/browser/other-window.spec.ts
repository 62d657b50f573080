import { assertOk } from "../harness/rest.ts";
import { dialog, expectLive } from "./actions.ts";
import { createUser } from "./api.ts";
import { expect, test } from "./fixtures.ts";

test("shows at once what another window does to users, wherever they are named", async ({
  page,
  api,
  client,
  assignedHost,
  signIn,
  openWindow,
}) => {
  const userPage = await openWindow();
  await signIn(userPage, `/users/${client.id}`);
  await expectLive(userPage);

  const hostsPage = await openWindow();
  await signIn(hostsPage, `/hosts?search=${assignedHost.ucloudId}`);
  await expectLive(hostsPage);

  await signIn(page, "/users");
  await expectLive(page);
  await expect(page.getByText("2 人", { exact: true })).toBeVisible();

  // A stream that was just opened fetches once by itself: only the second change proves the event.
  for (const name of ["王改名", "赵改名"]) {
    await assertOk(api.put(`/api/users/${client.id}`, { name }));

    await expect(
      page.getByRole("rowheader", { name: `${name} @${client.username}` }),
    ).toBeVisible();
    await expect(userPage.getByRole("heading", { name })).toBeVisible();
    await expect(hostsPage.getByRole("main").getByText(name).first()).toBeVisible();
  }

  await page.getByRole("button", { name: "创建用户" }).click();
  await dialog(page).getByRole("combobox", { name: "负责管理员" }).click();
  await expect(page.getByText("没有可选的管理员")).toBeVisible();
  await createUser(api, { username: "li_guanli", name: "李管理", role: "admin" });
  await expect(page.getByRole("option", { name: /李管理/ })).toBeVisible();

  await assertOk(api.delete(`/api/users/${client.id}`));
  await expect(userPage.getByText("看不到这个用户")).toBeVisible();
});

test("shows users their own new name in the frame of the console", async ({
  page,
  api,
  signIn,
}) => {
  await signIn(page, "/dashboard");
  await expectLive(page);
  const { id } = (await api.get("/api/auth/me")).data;

  // The second change proves the event, as above.
  for (const name of ["新名字", "更新的名字"]) {
    await assertOk(api.put(`/api/users/${id}`, { name }));

    await expect(page.getByRole("button", { name: new RegExp(name) })).toBeVisible();
  }
});
