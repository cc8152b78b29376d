export const logs = async () => 2;
