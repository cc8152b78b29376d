export const doctor = async () => 2;
