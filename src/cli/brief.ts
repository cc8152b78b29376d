export const brief = async () => 2;
