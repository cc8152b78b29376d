export const detach = async () => 2;
