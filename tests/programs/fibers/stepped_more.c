/* A variable of another file. */
int elsewhere;

void count_elsewhere(n)
int n;
{
  elsewhere += n;
}
