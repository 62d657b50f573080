import { type CreateUserInput, UpdateUserInput, type User } from "@shared/users.ts";
import type { z } from "zod";

export type CreateUserValues = z.input<typeof CreateUserInput>;

/** The shared rules, with every field filled. */
export const EditUserForm = UpdateUserInput.omit({ id: true }).required({ name: true, isActive: true });
export type EditUserValues = z.input<typeof EditUserForm>;

/** Every field that has an input, by the names that the server uses. */
export const CREATE_FIELDS = ["username", "password", "name", "role", "email", "phone", "adminId"] as const;
export const EDIT_FIELDS = ["name", "email", "phone", "isActive", "adminId"] as const;

export const NEW_USER: CreateUserValues = {
  username: "",
  password: "",
  name: "",
  role: "client",
  email: "",
  phone: "",
  adminId: null,
};

export function startingValues({ name, email, phone, isActive, adminId }: User): EditUserValues {
  return { name, email: email ?? "", phone: phone ?? "", isActive, adminId };
}

/** What was not touched since `user` was shown is not sent, so that it does not undo what somebody else has changed meanwhile. */
export function changesOf(user: User, values: z.output<typeof EditUserForm>): UpdateUserInput {
  const email = values.email ?? null;
  const phone = values.phone ?? null;
  const adminId = values.adminId ?? null;
  return {
    id: user.id,
    ...(values.name === user.name ? {} : { name: values.name }),
    ...(email === user.email ? {} : { email }),
    ...(phone === user.phone ? {} : { phone }),
    ...(values.isActive === user.isActive ? {} : { isActive: values.isActive }),
    ...(user.role !== "client" || adminId === user.adminId ? {} : { adminId }),
  };
}
