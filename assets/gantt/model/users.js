/* Users as people know them: by the name that their log has, else by number. */

/** `u1` where the log has names, `15` where it has numbers. @param {RunView} view @param {number} user */
export const nameUser = (view, user) => view.users?.[user] ?? String(user);

/** `user u1`, of the job in a row; empty where its user is unknown. @param {Run} run @param {number} row */
export function userOf({ jobs, view }, row) {
  const user = jobs.user[row];
  return user >= 0 ? `user ${nameUser(view, user)}` : "";
}
