// Package runner runs the jobs of GitHub on a GPU host, one runner for each job and nothing kept between two.
//
// It runs as root and holds the right to register runners; the jobs run as a user of their own and hold nothing. For
// each job it asks GitHub for a just-in-time registration, which is good for one job, gives the runner a new folder
// with a copy of the runner's software and a new home in it, and starts it as that user. When the job has ended, every
// process of the user is killed, and every file of the user is deleted: the folder, and what it left in the folders
// that all users share.
//
// # Vocabulary
//
// The software is the runner that GitHub publishes, unpacked in a folder of root's. The account is the user of the
// jobs, who is nobody else and owns nothing else.
//
// # What it never does
//
// It never gives the account the token, and never runs a job as root or as the user who started it. It is no defence
// against a bug of the kernel or of the GPU's driver: where strangers' code runs, make the machine anew as well.
package runner
